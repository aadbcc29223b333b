import { defineConfig } from 'drizzle-kit'

// The tables are the source; `npm run db:generate` writes the migration that gets there.
export default defineConfig({ dialect: 'sqlite', schema: './worker/**/*.table.ts', out: './migrations' })
