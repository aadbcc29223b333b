// Recounts a challenge: node docs/recount.mjs <tally.csv> <published SHA-256>
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [file = '', published] = process.argv.slice(2)
const bytes = readFileSync(file)
const votes = new Map()
for (const ballot of bytes.toString().trim().split('\r\n').slice(1)) {
  // Columns: ballot, castAt, finalist, voterPseudonym, excluded. Cells are quoted; quotes inside are doubled.
  const [, , finalist, , excluded] = [...ballot.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) =>
    cell.replaceAll('""', '"'),
  )
  votes.set(finalist, (votes.get(finalist) ?? 0) + (excluded === '' ? 1 : 0))
}
console.table([...votes].sort(([, a], [, b]) => b - a).map(([finalist, counted]) => ({ finalist, votes: counted })))
const hasPublishedHash = createHash('sha256').update(bytes).digest('hex') === published
console.log(hasPublishedHash ? 'The file matches the published hash.' : 'THE FILE DOES NOT MATCH THE PUBLISHED HASH.')
process.exitCode = hasPublishedHash ? 0 : 1
