// Counts a challenge again: node recount.mjs tally.csv <the SHA-256 that was published when the votes were fixed>
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [file = '', published] = process.argv.slice(2)
const bytes = readFileSync(file)
const votes = {}
for (const ballot of bytes.toString().trim().split('\r\n').slice(1)) {
  const [, , finalist, , excluded] = ballot.slice(1, -1).split('","')
  votes[finalist] = (votes[finalist] ?? 0) + (excluded === '' ? 1 : 0)
}
console.table(Object.fromEntries(Object.entries(votes).sort(([, a], [, b]) => b - a)))
const isTheSame = createHash('sha256').update(bytes).digest('hex') === published
console.log(isTheSame ? 'These are the ballots that were fixed.' : 'THESE ARE NOT THE BALLOTS THAT WERE FIXED.')
process.exitCode = isTheSame ? 0 : 1
