import { useQuery } from '@tanstack/react-query'
import { communityApi } from '../../worker/contract/community'
import { useAdminMutation } from '../admin/admin.queries'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { removedExclusivePosts } from './moderation.queries'

/** What was taken down from the tiers, to be put back whenever it should be. Nothing where there is none. */
export function RemovedPosts() {
  const { data } = useQuery(removedExclusivePosts)
  const restore = useAdminMutation((id: string) => call(communityApi.restore, { id }), ['tier-posts', 'community'])
  if (!data || data.length === 0) return null
  const press = (id: string, title: string) =>
    restore.isPending ||
    restore.mutate(id, {
      onSuccess: () => toast({ title: 'Put back', text: `${title} is on the site again.` }),
      onError: ({ message }) => toast({ title: 'Not put back', text: message, tone: 'destructive' }),
    })
  return (
    <section aria-labelledby="taken-down-posts" className="mt-10">
      <h3 id="taken-down-posts" className="mb-2 font-display text-lg">
        Taken down
      </h3>
      <ul>
        {data.map(({ id, title, tier }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 border-b border-rule py-2">
            <span className="min-w-0 wrap-anywhere">
              {title} <span className="text-sm text-muted">{tier === 'gold' ? 'Gold' : 'Silver and Gold'}</span>
            </span>
            <Button
              variant="quiet"
              className="-mr-3"
              aria-label={`Put back ${title}`}
              aria-disabled={restore.isPending}
              onClick={() => press(id, title)}
            >
              Put back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
