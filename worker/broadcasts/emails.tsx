/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html'
import { EmailLayout } from '../email/EmailLayout'

/** Stands where each recipient's own way out will be. */
export const UNSUBSCRIBE_PLACEHOLDER = '{{way-out}}'

type BroadcastContent = { subject: string; from: string; why: string; text: string; html: string }

/** Puts the words of a broadcast on the house's paper. `html` is ours already: written by `rendered` or by a letter. */
export function renderBroadcastEmail({ subject, from, why, text, html }: BroadcastContent): {
  text: string
  html: string
} {
  const unsubscribe = { reason: why, pageUrl: UNSUBSCRIBE_PLACEHOLDER, oneClickUrl: UNSUBSCRIBE_PLACEHOLDER }
  const body = (
    <EmailLayout subject={subject} from={from} preview={text.slice(0, 120)} unsubscribe={unsubscribe}>
      {raw(html)}
    </EmailLayout>
  )
  return {
    html: `<!doctype html>${body}`,
    text: [text, from, `${why}\nUnsubscribe: ${UNSUBSCRIBE_PLACEHOLDER}`].join('\n\n'),
  }
}
