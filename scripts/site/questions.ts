import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

export type Questions = {
  /** True when a person sits there, who is asked everything that no flag says. */
  isPerson: boolean
  /** The next line of the answers, empty once there are no more. */
  ask: (question: string) => Promise<string>
  close: () => void
}

/** Questions to a terminal, or to a list of answers that was piped in: one a line, read only when a question is asked. */
export function asking(input: Readable & { isTTY?: boolean }, output: Writable): Questions {
  let lines: { next: () => Promise<IteratorResult<string>> } | undefined
  let end = () => {}
  return {
    isPerson: input.isTTY === true,
    async ask(question) {
      if (!lines) {
        const reader = createInterface({ input })
        lines = reader[Symbol.asyncIterator]()
        end = () => reader.close()
      }
      output.write(question)
      const { value, done } = await lines.next()
      if (!input.isTTY) output.write('\n')
      return done ? '' : value
    },
    close: () => end(),
  }
}
