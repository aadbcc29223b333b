import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { communityApi, findLinks, type Post } from '../../worker/contract/community'
import { call, callPage } from '../api/call'
import { invalidatePoints, markMissionsCompleted } from '../points/points.queries'

/** The community's posts, newest first, page by page. */
export const feed = infiniteQueryOptions({
  queryKey: ['community', 'posts'],
  queryFn: ({ pageParam }) => callPage(communityApi.posts, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

/** What the artist's people wrote for the tiers. */
export const exclusivePosts = queryOptions({
  queryKey: ['community', 'exclusive'],
  queryFn: () => call(communityApi.exclusive, {}),
})

/** What the moderators hid of one's own, until one lets go of it. */
export const hiddenPosts = queryOptions({
  queryKey: ['community', 'hidden'],
  queryFn: () => call(communityApi.hidden, {}),
})

/** A page behind a link is read after the answer, most within this time. */
const PREVIEW_DELAY_MS = 5_000

type Draft = { text: string; picture?: { id: string; alt: string } }

export function useCreatePost() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (draft: Draft) => call(communityApi.createPost, { body: draft }),
    onSuccess: (result, { text }) => {
      markMissionsCompleted(queries, result)
      const refetchFeed = () => queries.invalidateQueries({ queryKey: feed.queryKey })
      if (findLinks(text).length > 0) setTimeout(refetchFeed, PREVIEW_DELAY_MS)
      return refetchFeed()
    },
  })
}

export function useRemovePost(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(communityApi.remove, { id }),
    onSuccess: () => {
      invalidatePoints(queries)
      return Promise.all([feed, hiddenPosts].map(({ queryKey }) => queries.invalidateQueries({ queryKey })))
    },
  })
}

/** Likes a post, or takes the like back. */
export function useLikePost({ id, liked }: Post) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(liked ? communityApi.unlike : communityApi.like, { id }),
    onSuccess: (now) =>
      queries.setQueryData(
        feed.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              rows: page.rows.map((post) => (post.id === id ? { ...post, ...now } : post)),
            })),
          },
      ),
  })
}

export const useReportPost = (id: string) =>
  useMutation({ mutationFn: (reason: string) => call(communityApi.report, { id, body: { reason } }) })
