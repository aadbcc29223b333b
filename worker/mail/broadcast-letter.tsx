/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html'
import { Frame } from './Frame'

/** Stands where each recipient's own way out will be. */
export const WAY_OUT = '{{way-out}}'

type Words = { subject: string; from: string; why: string; text: string; html: string }

/** Puts the words of a broadcast on the house's paper. `html` is ours already: written by `rendered` or by a letter. */
export function broadcastLetter({ subject, from, why, text, html }: Words): { text: string; html: string } {
  const unsubscribe = { why, page: WAY_OUT, oneClick: WAY_OUT }
  const body = (
    <Frame subject={subject} from={from} preview={text.slice(0, 120)} unsubscribe={unsubscribe}>
      {raw(html)}
    </Frame>
  )
  return { html: `<!doctype html>${body}`, text: [text, from, `${why}\nUnsubscribe: ${WAY_OUT}`].join('\n\n') }
}
