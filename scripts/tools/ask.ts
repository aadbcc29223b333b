import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks a question; a hidden answer is not shown. */
export type Ask = (question: string, options?: { isHidden?: boolean }) => Promise<string>

/** Asks on the terminal. @throws Error if the operator closes it with Ctrl-C or Ctrl-D. */
export const askOnTerminal: Ask = async (question, { isHidden = false } = {}) => {
  // A hidden interface shows no question either.
  if (isHidden) process.stdout.write(question)
  const output = isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stdout
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('close', () => reject(new Error('\nStopped.')))
      lines.question(question).then(resolve, reject)
    })
  } finally {
    lines.close()
    if (isHidden) process.stdout.write('\n')
  }
}
