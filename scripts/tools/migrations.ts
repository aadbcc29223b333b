import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLocalBindings } from './bindings.ts'

/** The table that `wrangler d1 migrations apply` also uses. */
const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

/** Applies pending migrations to the database in `state`. */
export const migrateLocal = (state: string): Promise<void> => withLocalBindings(state, ({ DB }) => applyMigrations(DB))

/**
 * Applies pending migrations in one transaction: with one for each, a new database takes seconds longer. `wrangler d1
 * migrations apply` takes half a minute, because it restarts the runtime for each file.
 */
export async function applyMigrations(db: D1Database): Promise<void> {
  const files = (await readdir('migrations')).filter((name) => name.endsWith('.sql')).sort()
  await db.prepare(CREATE_MIGRATIONS_TABLE).run()
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
  const applied = new Set(results.map(({ name }) => name))
  const statements: D1PreparedStatement[] = []
  for (const file of files.filter((name) => !applied.has(name))) {
    const sql = await readFile(join('migrations', file), 'utf8')
    const parts = sql.split('--> statement-breakpoint').filter((statement) => statement.trim() !== '')
    statements.push(...parts.map((statement) => db.prepare(statement)))
    statements.push(db.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').bind(file))
  }
  if (statements.length > 0) await db.batch(statements)
}
