import type { Env } from '../env'

const NAMES = ['LIMIT_WRITES', 'LIMIT_MAIL', 'LIMIT_AUTH'] as const
const state = globalThis as { testFile?: string }

/** A test file begins: nobody in it has used up anything yet. */
export function resetRateLimits(): void {
  state.testFile = crypto.randomUUID()
}

/**
 * The limiters, counting for this test file alone. They live as long as the runtime, which the files share, and count
 * by people's ids, which begin anew with each file's database.
 */
export const rateLimitersFor = (env: Env): Pick<Env, (typeof NAMES)[number]> =>
  Object.fromEntries(
    NAMES.map((name) => [
      name,
      { limit: ({ key }: RateLimitOptions) => env[name].limit({ key: `${state.testFile} ${key}` }) },
    ]),
  ) as never
