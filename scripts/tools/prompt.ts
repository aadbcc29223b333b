import { createInterface as createLineReader } from 'node:readline'
import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'

/** Asks a question and returns the answer; a hidden answer is not shown while it is typed. */
export type Ask = (question: string, options?: { isHidden?: boolean }) => Promise<string>

/** Asks on the terminal. @throws Error if the operator closes it with Ctrl-C or Ctrl-D. */
export const askOnTerminal: Ask = async (question, { isHidden = false } = {}) => {
  // With hidden output, readline does not show the question either.
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

export type Prompt = {
  /** True on a terminal. */
  isInteractive: boolean
  ask: Ask
  close: () => void
}

/** Asks on the terminal, or reads piped answers, one per line. An answer after the end of the input is empty. */
export function createPrompt(input: Readable & { isTTY?: boolean }, output: Writable): Prompt {
  if (input.isTTY) return { isInteractive: true, ask: askOnTerminal, close: () => undefined }
  let lines: { next: () => Promise<IteratorResult<string>> } | undefined
  let close = () => {}
  return {
    isInteractive: false,
    async ask(question) {
      // Opened by the first question: a command that asks nothing must not wait for input.
      if (!lines) {
        const reader = createLineReader({ input })
        lines = reader[Symbol.asyncIterator]()
        close = () => reader.close()
      }
      output.write(question)
      const { value, done } = await lines.next()
      output.write('\n')
      return done ? '' : value
    },
    close: () => close(),
  }
}
