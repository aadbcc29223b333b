import { defineConfig } from 'drizzle-kit'

// The table files define the schema; `npm run db:generate` writes a migration for their changes.
export default defineConfig({ dialect: 'sqlite', schema: './worker/**/*.table.ts', out: './migrations' })
