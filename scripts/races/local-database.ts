import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

type Options = { store?: 'd1' | 'r2' /** Only while no server runs. */; isWritable?: boolean }

/** Calls `use` with the SQLite file of a local D1 database or R2 bucket, also while the server runs. */
export function withLocalFile<T>(
  state: string,
  use: (file: DatabaseSync) => T,
  { store = 'd1', isWritable = false }: Options = {},
): T {
  const folder = join(state, 'v3', store, `miniflare-${store === 'd1' ? 'D1Database' : 'R2Bucket'}Object`)
  const name = readdirSync(folder).find((file) => /^[0-9a-f]+\.sqlite$/.test(file))
  const file = new DatabaseSync(join(folder, name ?? ''), { readOnly: !isWritable, timeout: 5_000 })
  try {
    return use(file)
  } finally {
    file.close()
  }
}
