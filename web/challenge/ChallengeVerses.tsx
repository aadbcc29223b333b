import '../styles/community.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AdminChallenge, VerseSubmission } from '../../worker/contract/admin-challenge'
import { RecordHeader } from '../admin/RecordHeader'
import { useScreenParam } from '../admin/screen-location'
import { EmptyNotice } from '../ui/EmptyNotice'
import { QueryBoundary } from '../ui/QueryBoundary'
import { adminChallenges } from './challenge-admin.queries'
import { listeningQueue } from './verse-ratings.queries'

type Props = {
  /** Start of the page's title; the challenge's title follows. */
  title: string
  children: (challenge: AdminChallenge, verses: readonly VerseSubmission[]) => ReactNode
}

/** Loads the URL's challenge and its verses, then renders a page with them. */
export function ChallengeVerses({ title, children }: Props) {
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
                <EmptyNotice>This challenge was deleted. Go back to the challenges to open another one.</EmptyNotice>
              )
            }
          </QueryBoundary>
        )}
      </QueryBoundary>
    </>
  )
}
