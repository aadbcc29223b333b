import '../styles/community.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AdminChallenge, VerseSubmission } from '../../worker/contract/admin-challenge'
import { RecordHeader } from '../admin/RecordHeader'
import { useScreenParam } from '../admin/ScreenLink'
import { QueryBoundary } from '../ui/QueryBoundary'
import { adminChallenges } from './challenge-admin.queries'
import { listeningQueue } from './verse-ratings.queries'

type Props = {
  /** Before the challenge's title. */
  title: string
  children: (challenge: AdminChallenge, verses: readonly VerseSubmission[]) => ReactNode
}

/** A screen about all verses of the challenge in the address. */
export function VersesScreen({ title, children }: Props) {
  const id = useScreenParam('id')
  const challenges = useQuery(adminChallenges)
  const verses = useQuery(listeningQueue(id))
  const challenge = challenges.data?.find((row) => row.id === id)
  return (
    <>
      <RecordHeader back="challengeSteps" params={{ id }} title={challenge ? `${title}: ${challenge.title}` : title} />
      <QueryBoundary
        query={challenges}
        loading={{ label: 'Loading the challenge', className: 'h-96' }}
        error="The challenge could not be loaded."
      >
        {() => (
          <QueryBoundary
            query={verses}
            loading={{ label: 'Loading the verses', className: 'h-96' }}
            error="The verses could not be loaded."
          >
            {(rows) =>
              challenge ? (
                children(challenge, rows)
              ) : (
                <EmptyScreen>This challenge was deleted. Go back to the challenges to open another one.</EmptyScreen>
              )
            }
          </QueryBoundary>
        )}
      </QueryBoundary>
    </>
  )
}

export const EmptyScreen = ({ children }: { children: ReactNode }) => (
  <p className="border border-dashed border-rule-strong p-6 text-muted">{children}</p>
)
