import type { Email } from '../email/outbox'
import { renderEmail } from '../email/render-email'

/** The receipt of a verse. It repeats nothing that the sender typed, because the address may be somebody else's. */
export function verseReceivedEmail({
  siteName,
  origin,
  token,
  challenge,
  isConfirmed,
  decided,
}: {
  siteName: string
  origin: string
  token: string
  challenge: string
  /** Sent by a confirmed account with an address of its own mailbox. */
  isConfirmed: boolean
  /** The day on which the finalists are named. */
  decided: string
}): Email {
  const facts = [{ label: 'Finalists are named', value: decided }]
  if (isConfirmed)
    return renderEmail({
      kind: 'verse_received',
      subject: `Your verse for ${challenge} has arrived`,
      from: siteName,
      paragraphs: [
        `Thank you. Your verse for ${challenge} is with us, and somebody of the team will listen to it.`,
        'Nothing of it is public unless you are named a finalist.',
      ],
      facts,
      action: { label: 'Take my verse back', url: `${origin}/challenge/withdraw?token=${token}` },
      after: [
        'The button leads to a page that asks you first. It works until you are told that you are a finalist.',
        'If this was not you, press it: the verse, the recording and this address are deleted.',
      ],
    })
  return renderEmail({
    kind: 'verse_received',
    subject: `Confirm your verse for ${challenge}`,
    from: siteName,
    paragraphs: [
      `A verse for ${challenge} was sent to us with this address. Confirm that it is yours: until then it does not count.`,
      'Nothing of it is public unless you are named a finalist.',
    ],
    facts,
    action: { label: 'Confirm my verse', url: `${origin}/challenge/confirm?token=${token}` },
    after: [
      'The page that opens also takes the verse back, until you are named a finalist.',
      'If this was not you, please do that: the verse, the recording and this address are deleted.',
    ],
  })
}

export type FinalistEmailProps = {
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
  /** Names of the other winners of a tie; used for winners only. */
  sharedWith: readonly string[]
  /** SHA-256 of the tally, lower-case hex, and its number of ballots; '' and 0 until counted. */
  sha256: string
  ballots: number
}

const formatDay = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })
const challengeUrl = ({ origin, challengeId }: FinalistEmailProps) =>
  `${origin}/challenge/${encodeURIComponent(challengeId)}`

export function finalistEmail(props: FinalistEmailProps): Email {
  const { siteName, challenge, stageName, votingFrom, votingUntil } = props
  return renderEmail({
    kind: 'finalist',
    subject: `You are a finalist of ${challenge}`,
    from: siteName,
    paragraphs: [
      `Congratulations, ${stageName}: your verse is among the finalists of ${challenge}.`,
      'Your stage name and your recording are on the challenge’s page now. Tell your people: every supporter has one vote.',
    ],
    facts: [
      { label: 'Voting', value: `${formatDay(votingFrom)} to ${formatDay(votingUntil)}` },
      { label: 'The prize', value: props.prize },
    ],
    action: { label: 'See the finalists', url: challengeUrl(props) },
    after: [
      'This is about the verse that was sent from your address. If something is wrong with it, please answer soon.',
    ],
  })
}

const joinNames = (names: readonly string[]) => new Intl.ListFormat('en').format(names)

/** To each winner; a shared prize is promised to no one. */
export function winnerEmail(props: FinalistEmailProps): Email {
  const { siteName, challenge, stageName, prize, closedOn, sharedWith } = props
  const isSoleWinner = sharedWith.length === 0
  return renderEmail({
    kind: 'challenge_won',
    subject: `You have won ${challenge}`,
    from: siteName,
    paragraphs: [
      `Congratulations, ${stageName}: nobody has more votes than you. You have won ${challenge}.`,
      ...(isSoleWinner
        ? [
            'The result is public, with every vote to count again. The team will be in touch about the prize, at this address or at the number that came with your verse.',
          ]
        : [
            `You share first place with ${joinNames(sharedWith)}; the team will write how the prize is handed over.`,
            'The result is public, with every vote to count again.',
          ]),
    ],
    facts: [
      { label: isSoleWinner ? 'The prize' : 'The prize of the challenge', value: prize },
      { label: 'Handed over by', value: formatDay(closedOn) },
    ],
    action: { label: 'See the result', url: challengeUrl(props) },
    after: ['This is about the verse that was sent from your address.'],
  })
}

/** To every finalist once the result is public: an independent copy of the tally's digest. */
export function resultEmail(props: FinalistEmailProps): Email {
  const { siteName, challenge, stageName, sha256, ballots } = props
  return renderEmail({
    kind: 'challenge_result',
    subject: `The result of ${challenge}`,
    from: siteName,
    paragraphs: [
      `${stageName}, the result of ${challenge} is public. Thank you for your verse.`,
      'Nobody has to take our word for it: the page has every ballot, without names, and a script that counts them. Keep this mail. Whenever the tally on the page has another fingerprint than this one, somebody has changed it.',
    ],
    facts: [
      { label: 'Ballots', value: new Intl.NumberFormat('en-US').format(ballots) },
      { label: 'SHA-256 of the tally', value: sha256 },
    ],
    action: { label: 'See the result', url: challengeUrl(props) },
    after: ['This is about the verse that was sent from your address.'],
  })
}
