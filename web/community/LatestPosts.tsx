import '../styles/community.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Heart } from 'lucide-react'
import type { Post } from '../../worker/contract/community'
import { useLocalDay } from '../lib/local-day'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { communityFeed } from './community.queries'
import { PostAuthor } from './PostBody'

const MAX_LATEST_POSTS = 2

/** Excerpts of the community's latest posts, with a link to all. */
export function LatestPosts() {
  return (
    <QueryBoundary
      query={useInfiniteQuery(communityFeed)}
      loading={{ className: 'col-span-full latest-posts', label: 'Loading the posts' }}
      error="The posts could not be loaded."
      errorClassName="col-span-full"
    >
      {({ pages: [page] }) => {
        const posts = page?.rows.slice(0, MAX_LATEST_POSTS) ?? []
        return (
          <div className="col-span-full latest-posts">
            {posts.length === 0 && <p className="text-muted">No posts yet. Be the first to write one.</p>}
            {posts.map((post) => (
              <PostExcerpt key={post.id} post={post} />
            ))}
            <Link to="/community" className={buttonClass('outline', 'mt-auto justify-self-start')}>
              Join the conversation
            </Link>
          </div>
        )
      }}
    </QueryBoundary>
  )
}

const MAX_EXCERPT_LENGTH = 140

/** Truncates a long text at a word boundary and adds an ellipsis. */
const truncate = (text: string) =>
  text.length <= MAX_EXCERPT_LENGTH ? text : `${text.slice(0, MAX_EXCERPT_LENGTH).replace(/\s+\S*$/u, '')}…`

function PostExcerpt({ post: { author, text, likes, createdAt } }: { post: Post }) {
  const day = useLocalDay(createdAt)
  return (
    <article aria-label={`Post by ${author}`} className="border-t border-rule pt-5">
      <PostAuthor author={author} createdAt={createdAt} day={day} />
      <p className="mt-3 wrap-anywhere">{truncate(text)}</p>
      <p className="tabular-figures mt-3 flex items-center gap-2 text-sm text-muted">
        <Heart size={18} aria-hidden />
        <span className="sr-only">Likes:</span> {likes}
      </p>
    </article>
  )
}
