import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  INACTIVITY_WARNING_DAYS,
  INQUIRY_RESPONSE_DAYS,
  MINIMUM_AGE_YEARS,
  RETENTION,
} from '../../worker/contract/retention'

/** The policy's date (YYYY-MM-DD). */
export const POLICY_DATE = '2025-07-18'
/** The date of the text's last change (YYYY-MM-DD). Update it with every edit. */
export const AMENDED_DATE = '2026-11-28'

export function formatMonths(months: number): string {
  if (months % 12 !== 0) return `${months} months`
  return months === 12 ? '1 year' : `${months / 12} years`
}

type Clause = { id: string; title: string; text: ReactNode }

/** `contact` is the URL of the artist's contact link, empty if there is none. */
export function policyClauses(artist: string, contact: string): Clause[] {
  const contactLink = contact ? (
    <a href={contact} target="_blank" rel="noreferrer">
      write to us
    </a>
  ) : (
    'write to us'
  )
  return [
    {
      id: 'who-we-are',
      title: 'Who we are',
      text: (
        <p>
          This site is the official fan community of {artist}. “We” are {artist} and the team who run the site. We
          decide why and how your personal data is used here, and we answer for it. For anything about your data,{' '}
          {contactLink}.
        </p>
      ),
    },
    {
      id: 'what-we-collect',
      title: 'What we collect',
      text: (
        <>
          <p>You can listen, look at shows and read everything public without telling us who you are. Otherwise:</p>
          <ul>
            <li>
              <strong>Account.</strong> Username, email address and a one-way hash of your password. With Google
              sign-in: your Google account number and verified address, never your Google password. With a passkey: its
              public key and the name you gave it, never your fingerprint or face. After a change of address, the
              earlier one for the seven days in which it can undo the change.
            </li>
            <li>
              <strong>Phone number.</strong> Used for verification and to keep referrals honest. We keep a keyed hash of
              it and its last two digits, not the number itself.
            </li>
            <li>
              <strong>What you do here.</strong> Votes, likes, polls, community posts and their pictures, reports of
              posts, shows you go to, check-ins, referrals, and the points they earned.
            </li>
            <li>
              <strong>Newsletter and show alerts.</strong> Your address, the text you agreed to and when, and whether
              you confirmed it. City requests are counted without your name.
            </li>
            <li>
              <strong>What another platform passed on.</strong> If the artist moved here from another shop, newsletter
              or membership: your name, address, purchases and membership there. We only email you if you agreed to the
              newsletter there.
            </li>
            <li>
              <strong>Orders.</strong> What you bought, the amount, your email and delivery address (for downloads, your
              country). Card details go straight to the payment provider; they never reach us. With an account, also the
              cart and the delivery addresses that you save. When you ask to hear that a product is back: your address,
              until that email.
            </li>
            <li>
              <strong>Challenge entries and votes.</strong> The name, email address, phone number and recording sent
              with a verse; a finalist’s stage name stays with the result. A vote is stored under a keyed hash of your
              mailbox; the network and device it came from are kept as hashes until the votes are counted.
            </li>
            <li>
              <strong>Listening and clicks.</strong> That a track was played or a streaming service was opened, counted
              by the day. Who listened is forgotten after two days; the points it earned stay in your history.
            </li>
            <li>
              <strong>Network address.</strong> Used in passing to stop abuse, for example too many log-in attempts. A
              keyed hash of it is stored with a visitor’s order for {RETENTION.unconfirmedDays} days, so that no one
              reserves everything. Other counters of attempts, emails and plays, under keyed hashes of a mailbox, device
              or network, run for a day at most and are deleted by the day after.
            </li>
          </ul>
        </>
      ),
    },
    {
      id: 'why',
      title: 'Why we use it',
      text: (
        <ul>
          <li>To run your account, points, votes and orders: this is our agreement with you.</li>
          <li>To send the newsletter and alerts you asked for: with your consent, until you take it back.</li>
          <li>
            To keep votes, points and payments free of fraud, and to see which songs are heard: our legitimate interest.
          </li>
          <li>To keep the financial records that the law requires.</li>
        </ul>
      ),
    },
    {
      id: 'cookies',
      title: 'Cookies',
      text: (
        <>
          <p>We set only cookies that the site needs in order to work:</p>
          <ul>
            <li>one that keeps you logged in,</li>
            <li>
              one that marks your device when you log in, play a track or order, so that others cannot lock you out and
              no script counts as many listeners or buyers,
            </li>
            <li>one that shows you your own changes right away, for a few minutes after you make them,</li>
            <li>one that lets a stream be counted once, with a random number instead of your name,</li>
            <li>for an hour, one that remembers a scan at a show’s door,</li>
            <li>
              for a few minutes, one that takes you to Google and back, one that checks a passkey, and one that keeps
              your checkout together.
            </li>
          </ul>
          <p>
            Where a form is protected from bots, Cloudflare Turnstile looks at your browser when you touch the form, and
            may set a cookie of its own.
          </p>
          <p>
            Where you pay by card, Stripe sets cookies of its own to recognize fraud. Your browser also keeps a random
            key of each checkout, so that a second try goes on with the same order: until you have paid, or for a day.
            When you redeem a download code, your browser keeps a random key, so that the same code works for you again.
            What you put into the cart stays in your browser until you remove it or pay for it.
          </p>
          <p>
            Once you have played music, your browser remembers the queue, the position and the volume, so that you can
            play on after a reload.
          </p>
          <p>
            Pages that you have visited stay in your browser as every visitor sees them, so that they open without a
            connection. If you switch it on, the tracks you like are saved there too, until you clear them or log out.
          </p>
          <p>There are no advertising cookies and no other trackers, and nothing follows you to other sites.</p>
        </>
      ),
    },
    {
      id: 'sharing',
      title: 'Who else sees it',
      text: (
        <>
          <p>We do not sell personal data, and we do not share it for advertising. It is handled for us by:</p>
          <ul>
            <li>
              Cloudflare, where the site and its database run and from where emails to you are sent; its Turnstile tells
              people from bots,
            </li>
            <li>Resend, which may carry the newsletter and show alerts,</li>
            <li>Stripe, when you pay by card or for a tier: it stores your email address as that of its customer,</li>
            <li>Google, only if you choose to sign in with it.</li>
          </ul>
          <p>
            They may process data outside your country, under contracts that protect it. Other supporters see your
            username, points, polls and posts, and the shows you go to if you show your name there; you can leave the
            leaderboard. We give data to authorities only when the law compels us.
          </p>
          <p>
            Links to streaming services, social networks, calendars and maps lead to sites with policies of their own.
          </p>
        </>
      ),
    },
    {
      id: 'retention',
      title: 'How long we keep it',
      text: (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">Data</th>
                <th scope="col">Kept</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">Account data</th>
                <td>Until you delete the account, or {formatMonths(RETENTION.inactiveAccountMonths)} of inactivity</td>
              </tr>
              <tr>
                <th scope="row">Accounts with an address never confirmed, nothing paid and no code redeemed</th>
                <td>{RETENTION.unconfirmedAccountDays} days after the last visit</td>
              </tr>
              <tr>
                <th scope="row">Transactions</th>
                <td>{formatMonths(RETENTION.transactionMonths)}</td>
              </tr>
              <tr>
                <th scope="row">Analytics</th>
                <td>
                  {formatMonths(RETENTION.analyticsMonths)}, anonymised after{' '}
                  {formatMonths(RETENTION.analyticsAnonymizedMonths)}
                </td>
              </tr>
              <tr>
                <th scope="row">Support correspondence</th>
                <td>{formatMonths(RETENTION.supportMonths)}</td>
              </tr>
              <tr>
                <th scope="row">Challenge entries</th>
                <td>{formatMonths(RETENTION.verseMonths)}, then counted without name, address, phone and recording</td>
              </tr>
              <tr>
                <th scope="row">Why a flagged vote was counted or excluded</th>
                <td>{formatMonths(RETENTION.ballotReasonMonths)}</td>
              </tr>
              <tr>
                <th scope="row">Which mailbox has voted in a poll</th>
                <td>{RETENTION.pollMailboxDays} days after it closed, as a keyed hash</td>
              </tr>
              <tr>
                <th scope="row">A cart of your account</th>
                <td>{RETENTION.cartDays} days after its last change</td>
              </tr>
              <tr>
                <th scope="row">A back-in-stock alert</th>
                <td>Until its email, at most {RETENTION.stockAlertDays} days</td>
              </tr>
              <tr>
                <th scope="row">What another platform passed on</th>
                <td>
                  {formatMonths(RETENTION.contactMonths)}, the buyer of a sale{' '}
                  {formatMonths(RETENTION.transactionMonths)}
                </td>
              </tr>
              <tr>
                <th scope="row">Newsletter, after you unsubscribe</th>
                <td>{formatMonths(RETENTION.unsubscribedMonths)}</td>
              </tr>
              <tr>
                <th scope="row">Addresses never confirmed, orders never paid</th>
                <td>{RETENTION.unconfirmedDays} days</td>
              </tr>
              <tr>
                <th scope="row">Emails we sent</th>
                <td>
                  The address {RETENTION.emailRecipientDays} days, the text {RETENTION.emailBodyDays} days, or{' '}
                  {RETENTION.unsentEmailBodyDays} if it could not be sent
                </td>
              </tr>
            </tbody>
          </table>
          <p>
            A daily job enforces these limits. Before we delete an inactive account, we email you{' '}
            {INACTIVITY_WARNING_DAYS} days ahead. After {formatMonths(RETENTION.analyticsAnonymizedMonths)} your points
            history no longer says which track you heard.
          </p>
        </>
      ),
    },
    {
      id: 'your-rights',
      title: 'Your rights',
      text: (
        <>
          <p>
            You can see your data, download a copy, correct it, delete your account, object to a use, and take back a
            consent at any time; every newsletter carries an unsubscribe link. Depending on where you live, the law may
            give you more, such as complaining to a data protection authority. Using a right never costs you anything.
          </p>
          <p>
            When an account is deleted, we delete its name, addresses and sessions, the text of your posts and polls,
            their pictures, the recordings you sent and what the payment provider stored of a membership. Votes still
            count and orders stay in the books, without your name on them. A newsletter or alert that you confirmed by
            its emailed link stays if your account’s own address was never confirmed; unsubscribe with the link in every
            email. An order on its way keeps your address until the refund was sent and the goods were delivered, or for{' '}
            {RETENTION.shipmentDays} days after it left. We keep keyed hashes, which identify no one: one so that we
            send you no newsletter unless you ask for it again, others to note that a free trial or a referral was used.
            If an address bounced our email, marked it as spam, or left the newsletter a year ago, we keep a keyed hash
            of it for {formatMonths(RETENTION.suppressionMonths)}, or until its owner asks for email again or we lift
            it. If you have no account, we erase your address the same way: send us an inquiry.
          </p>
          <p>
            To use a right, use <Link to="/account">your account page</Link> or {contactLink}. We answer privacy
            inquiries within {INQUIRY_RESPONSE_DAYS} days.
          </p>
        </>
      ),
    },
    {
      id: 'security',
      title: 'How we protect it',
      text: (
        <p>
          Connections are encrypted. Passwords are stored as slow, salted hashes, log-in tokens as hashes. Only
          administrators reach personal data; what they reveal or export is written down. No system is perfectly safe:
          if yours is ever affected by a breach, we will tell you as the law requires.
        </p>
      ),
    },
    {
      id: 'children',
      title: 'Children',
      text: (
        <p>
          This site is not for children under {MINIMUM_AGE_YEARS}. We do not knowingly collect data about them. If you
          believe that a child has given us data, {contactLink} and we will delete it.
        </p>
      ),
    },
    {
      id: 'changes',
      title: 'Changes to this policy',
      text: (
        <p>
          When this policy changes, the date it was last amended changes at its top. If a change matters for how your
          data is used, we announce it on the site before it takes effect.
        </p>
      ),
    },
  ]
}
