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
      'The button leads to a page that asks you first. It works until you are told that you are a finalist.',
      'If this was not you, press it: the verse, the recording and this address are deleted.',
    ],
  })
}

export type Asks = {
  siteName: string
  origin: string
  challengeId: string
  challenge: string
  stageName: string
  prize: string
  /** YYYY-MM-DD, in the artist's zone. */
  votingFrom: string
  votingUntil: string
  closedOn: string
}

const longDay = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })
const pageOf = ({ origin, challengeId }: Asks) => `${origin}/challenge/${encodeURIComponent(challengeId)}`

/** To a finalist, once everybody may know. */
export function finalistLetter(asks: Asks): Letter {
  const { siteName, challenge, stageName, votingFrom, votingUntil } = asks
  return letter({
    kind: 'finalist',
    subject: `You are a finalist of ${challenge}`,
    from: siteName,
    paragraphs: [
      `Congratulations, ${stageName}: your verse is among the finalists of ${challenge}.`,
      'Your stage name and your recording are on the challenge’s page now. Tell your people: every supporter has one vote.',
    ],
    facts: [
      { label: 'Voting', value: `${longDay(votingFrom)} to ${longDay(votingUntil)}` },
      { label: 'The prize', value: asks.prize },
    ],
    action: { label: 'See the finalists', url: pageOf(asks) },
    after: [
      'This is about the verse that was sent from your address. If something is wrong with it, please answer soon.',
    ],
  })
}

/** To who has won, alone or with equal votes, once the result is public. */
export function winnerLetter(asks: Asks): Letter {
  const { siteName, challenge, stageName, prize, closedOn } = asks
  return letter({
    kind: 'challenge_won',
    subject: `You have won ${challenge}`,
    from: siteName,
    paragraphs: [
      `Congratulations, ${stageName}: nobody has more votes than you. You have won ${challenge}.`,
      'The result is public, with every vote to count again. The team will be in touch about the prize, at this address or at the number that came with your verse.',
    ],
    facts: [
      { label: 'The prize', value: prize },
      { label: 'Handed over by', value: longDay(closedOn) },
    ],
    action: { label: 'See the result', url: pageOf(asks) },
    after: ['This is about the verse that was sent from your address.'],
  })
}
