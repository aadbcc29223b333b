import type { Ask } from '../tools/prompt.ts'

export type Account = { id: string; name: string }

/** Id of the account to deploy to; asks if there are several. @throws Error with a message for the operator. */
export async function chooseAccount(accounts: readonly Account[], ask: Ask | null): Promise<string> {
  const [first] = accounts
  if (!first) throw new Error('This token sees no account. Log in again: npx wrangler login')
  if (accounts.length === 1) return first.id
  const list = accounts.map(({ id, name }) => `  ${id} (${name})`).join('\n')
  const typed = (await ask?.(`You have several accounts:\n${list}\nId of the one to deploy to: `))?.trim()
  if (accounts.some(({ id }) => id === typed)) return typed as string
  throw new Error(`Choose an account with CLOUDFLARE_ACCOUNT_ID:\n${list}`)
}
