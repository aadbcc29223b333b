import { letter } from '../mail/letter'
import type { Letter } from '../mail/outbox'

/** To whoever sent a verse: it has arrived, and this is the way to take it back. */
export function verseReceivedLetter({
  siteName,
  origin,
  token,
  challenge,
  stageName,
  decided,
}: {
  siteName: string
  origin: string
  token: string
  challenge: string
  stageName: string
  /** The day on which the finalists are named. */
  decided: string
}): Letter {
  return letter({
    kind: 'verse_received',
    subject: `Your verse for ${challenge} has arrived`,
    from: siteName,
    paragraphs: [
      `Thank you, ${stageName}. Your verse for ${challenge} is with us, and somebody of the team will listen to it.`,
      'Nothing of it is public unless you are named a finalist.',
    ],
    facts: [{ label: 'Finalists are named', value: decided }],
    action: { label: 'Take my verse back', url: `${origin}/challenge/withdraw?token=${token}` },
    after: [
      'The button leads to a page that asks you first. It works until you are named a finalist.',
      'If this was not you, press it: the verse, the recording and this address are deleted.',
    ],
  })
}
