import '../styles/challenge.css'
import { Link } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { useState } from 'react'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { Panel } from '../admin/Panel'
import { buttonClass } from '../ui/Button'
import { FinalistsEditor } from './FinalistsEditor'
import { StageStepper } from './StageStepper'
import { SubmissionsTable } from './SubmissionsTable'
import { VotesReview } from './VotesReview'

const count = new Intl.NumberFormat('en-US')
/** What the desk has to do in each state. */
const INITIAL_TAB = {
  announced: 'verses',
  submissions: 'verses',
  finalists: 'verses',
  voting: 'votes',
  closed: 'votes',
  published: 'votes',
} as const

/** One challenge at the desk: its stage, its verses, its finalists, its votes. */
export function ChallengeManager({ challenge }: { challenge: AdminChallenge }) {
  const [tab, setTab] = useState<string>(INITIAL_TAB[challenge.state])
  const tabs = [
    ['verses', 'Verses', challenge.submissions],
    ['finalists', 'Finalists', challenge.finalists.length],
    ['votes', 'Votes', challenge.votes],
  ] as const
  return (
    <Panel title={challenge.title} note={challenge.prize}>
      <StageStepper challenge={challenge} />
      <Link to="/challenge/$id" params={{ id: challenge.id }} className={buttonClass('quiet', 'mt-2 -ml-3')}>
        The public page
      </Link>
      <Tabs.Root value={tab} onValueChange={setTab} activationMode="manual" className="mt-6">
        <Tabs.List aria-label={challenge.title} className="desk-tabs desk-tabs-flat">
          {tabs.map(([id, label, total]) => (
            <Tabs.Trigger key={id} value={id} className="desk-tab font-label">
              {label} <span className="figures">{count.format(total)}</span>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="verses">
          <SubmissionsTable challenge={challenge} />
        </Tabs.Content>
        <Tabs.Content value="finalists">
          <FinalistsEditor challenge={challenge} />
        </Tabs.Content>
        <Tabs.Content value="votes">
          <VotesReview challenge={challenge} />
        </Tabs.Content>
      </Tabs.Root>
    </Panel>
  )
}
