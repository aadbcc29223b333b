import '../styles/dashboard.css'
import '../styles/ticket.css'
import '../styles/celebration.css'
import { useRouter } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { useEffect, useState } from 'react'
import type { Me } from '../../worker/contract/auth'
import { useCountUp } from '../lib/useCountUp'
import { Celebration } from '../points/Celebration'
import { Dashboard } from './Dashboard'
import { Exclusive } from './Exclusive'
import { SupporterMissions } from './SupporterMissions'

/**
 * A supporter's own hub: the welcome, and its three tabs (specification section 2). `before` is what they had when the
 * page was opened: what came since is celebrated.
 */
export function SupporterHub({ me, before }: { me: Me; before: number }) {
  const [tab, setTab] = useState('dashboard')
  const router = useRouter()
  // The ways to the vote lead to the tab where it stands, whichever is open.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ toLocation }) => {
        if (toLocation.hash === 'community-voting') setTab('dashboard')
      }),
    [router],
  )
  return (
    <div className="col-span-full min-w-0">
      <Welcome me={me} />
      <Tabs.Root value={tab} onValueChange={setTab}>
        <Tabs.List aria-label="Supporter Hub" className="hub-tabs">
          <Tabs.Trigger value="exclusive" className="hub-tab">
            Exclusive
          </Tabs.Trigger>
          <Tabs.Trigger value="dashboard" className="hub-tab">
            Dashboard
          </Tabs.Trigger>
          <Tabs.Trigger value="missions" className="hub-tab">
            Supporter Missions
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="exclusive" className="hub-panel">
          <Exclusive tier={me.tier} />
        </Tabs.Content>
        <Tabs.Content value="dashboard" className="hub-panel">
          <Dashboard me={me} />
        </Tabs.Content>
        <Tabs.Content value="missions" className="hub-panel">
          <SupporterMissions me={me} />
        </Tabs.Content>
      </Tabs.Root>
      <Celebration points={me.points} before={before} />
    </div>
  )
}

function Welcome({ me }: { me: Me }) {
  const points = useCountUp(me.points)
  return (
    <div className="hub-welcome">
      <p className="hub-name font-display">
        <span className="block font-label text-muted">Welcome,</span> {me.username}
      </p>
      <p className="figures shrink-0 text-lg text-muted">
        <span className="font-display text-2xl text-gold-bright">{points.toLocaleString('en-US')}</span> points
      </p>
    </div>
  )
}
