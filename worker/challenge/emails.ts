import type { Email } from '../email/outbox'
import { renderEmail } from '../email/render-email'

/** The receipt of a verse. Contains nothing that the entrant typed, because the address may be someone else's. */
export function verseReceivedEmail({
  siteName,
  origin,
  token,
  challenge,
  isConfirmed,
  finalistsOn,
}: {
  siteName: string
  origin: string
  token: string
  challenge: string
  /** A confirmed account sent the verse with its own email address or an alias of it. */
  isConfirmed: boolean
  /** YYYY-MM-DD, in the artist's zone. */
  finalistsOn: string
}): Email {
  const details = [{ label: 'Finalists announced', value: formatDay(finalistsOn) }]
  if (isConfirmed)
    return renderEmail({
      kind: 'verse_received',
      subject: `Your verse for ${challenge} has arrived`,
      from: siteName,
      paragraphs: [
        `Thank you. We received your verse for ${challenge}, and someone on the team will listen to it.`,
        'Your verse stays private unless you become a finalist.',
      ],
      details,
      action: { label: 'Withdraw my verse', url: `${origin}/challenge/withdraw?token=${token}` },
      smallPrint: [
        'The button opens a page that asks you to confirm. You can withdraw until the finalists are announced.',
        'If you did not send a verse, use the button: it deletes the verse, the recording and this address.',
      ],
    })
  return renderEmail({
    kind: 'verse_received',
    subject: `Confirm your verse for ${challenge}`,
    from: siteName,
    paragraphs: [
      `Someone entered a verse in ${challenge} with this email address. Confirm that it is yours so that it counts.`,
      'Your verse stays private unless you become a finalist.',
    ],
    details,
    action: { label: 'Confirm my verse', url: `${origin}/challenge/confirm?token=${token}` },
    smallPrint: [
      'You can withdraw the verse on the same page until the finalists are announced.',
      'If you did not send it, withdraw it there: that deletes the verse, the recording and this address.',
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
    subject: `You are a finalist in ${challenge}`,
    from: siteName,
    paragraphs: [
      `Congratulations, ${stageName}: your verse is a finalist in ${challenge}.`,
      'Your stage name and your recording are now on the challenge page. Spread the word: every supporter has one vote.',
    ],
    details: [
      { label: 'Voting', value: `${formatDay(votingFrom)} to ${formatDay(votingUntil)}` },
      { label: 'The prize', value: props.prize },
    ],
    action: { label: 'See the finalists', url: challengeUrl(props) },
    smallPrint: [
      'You’re getting this email because you entered a verse with this address. If anything looks wrong, please reply to this email.',
    ],
  })
}

const joinNames = (names: readonly string[]) => new Intl.ListFormat('en').format(names)

/** For each winner. The winners of a tie are not promised the prize. */
export function winnerEmail(props: FinalistEmailProps): Email {
  const { siteName, challenge, stageName, prize, closedOn, sharedWith } = props
  const isSoleWinner = sharedWith.length === 0
  return renderEmail({
    kind: 'challenge_won',
    subject: `You won ${challenge}`,
    from: siteName,
    paragraphs: [
      `Congratulations, ${stageName}: your verse got the most votes. You won ${challenge}.`,
      ...(isSoleWinner
        ? [
            'The result is public, and anyone can recount the votes. The team will contact you about the prize, at this address or at the phone number you gave.',
          ]
        : [
            `You share first place with ${joinNames(sharedWith)}. The team will write to you about the prize.`,
            'The result is public, and anyone can recount the votes.',
          ]),
    ],
    details: [
      { label: isSoleWinner ? 'The prize' : 'The prize of the challenge', value: prize },
      { label: 'Awarded by', value: formatDay(closedOn) },
    ],
    action: { label: 'See the result', url: challengeUrl(props) },
    smallPrint: ['You’re getting this email because you entered a verse with this address.'],
  })
}

/** For every finalist once the result is public, as an independent copy of the tally's digest. */
export function resultEmail(props: FinalistEmailProps): Email {
  const { siteName, challenge, stageName, sha256, ballots } = props
  return renderEmail({
    kind: 'challenge_result',
    subject: `The result of ${challenge}`,
    from: siteName,
    paragraphs: [
      `${stageName}, the result of ${challenge} is public. Thank you for your verse.`,
      'You do not have to take our word for it: the page lists every ballot, without names, and a script that counts them. Keep this email. If the fingerprint on the page ever differs from the one below, the tally was changed.',
    ],
    details: [
      { label: 'Ballots', value: new Intl.NumberFormat('en-US').format(ballots) },
      { label: 'SHA-256 of the tally', value: sha256 },
    ],
    action: { label: 'See the result', url: challengeUrl(props) },
    smallPrint: ['You’re getting this email because you entered a verse with this address.'],
  })
}
