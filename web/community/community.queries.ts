import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  type UseInfiniteQueryResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { communityApi, type Post } from '../../worker/contract/community'
import { findLinks } from '../../worker/contract/links'
import { call, callPage } from '../api/call'
import { invalidatePoints, markMissionsCompleted } from '../points/points.queries'

/** Posts of the community, newest first. */
export const communityFeed = infiniteQueryOptions({
  queryKey: ['community', 'posts'],
  queryFn: ({ pageParam }) => callPage(communityApi.posts, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

/** The visible posts of a feed: `initial` at first, and `step` more after each call of `showMore`, which may fetch. */
export function useVisiblePosts<Row>(
  { data, hasNextPage, isFetchingNextPage, fetchNextPage }: UseInfiniteQueryResult<InfiniteData<{ rows: Row[] }>>,
  initial: number,
  step: number,
) {
  const [count, setCount] = useState(initial)
  const posts = data?.pages.flatMap(({ rows }) => rows) ?? []
  const showMore = () => {
    setCount(count + step)
    if (hasNextPage && !isFetchingNextPage && posts.length < count + step) void fetchNextPage()
  }
  return { posts: posts.slice(0, count), hasMore: hasNextPage || posts.length > count, showMore }
}

/** Posts of the artist's team for the paid tiers. */
export const exclusivePosts = queryOptions({
  queryKey: ['community', 'exclusive'],
  queryFn: () => call(communityApi.exclusive, {}),
})

/** The caller's posts that admins hid, until the caller dismisses the notice. */
export const hiddenPosts = queryOptions({
  queryKey: ['community', 'hidden'],
  queryFn: () => call(communityApi.hidden, {}),
})

/** The worker loads link previews after its response, most within this time. */
const PREVIEW_DELAY_MS = 5_000

type PostDraft = { text: string; picture?: { id: string; alt: string } }

export function useCreatePost() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (draft: PostDraft) => call(communityApi.createPost, { body: draft }),
    onSuccess: (result, { text }) => {
      markMissionsCompleted(queryClient, result)
      const refetchFeed = () => queryClient.invalidateQueries({ queryKey: communityFeed.queryKey })
      if (findLinks(text).length > 0) setTimeout(refetchFeed, PREVIEW_DELAY_MS)
      return refetchFeed()
    },
  })
}

/** Deletes the caller's post; for a post that admins hid, this dismisses the notice. */
export function useRemovePost(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(communityApi.remove, { id }),
    onSuccess: () => {
      invalidatePoints(queryClient)
      return Promise.all(
        [communityFeed, hiddenPosts].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      )
    },
  })
}

/** Likes or unlikes a post. */
export function useLikePost({ id, liked }: Post) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(liked ? communityApi.unlike : communityApi.like, { id }),
    onSuccess: (likeState) =>
      queryClient.setQueryData(
        communityFeed.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              rows: page.rows.map((post) => (post.id === id ? { ...post, ...likeState } : post)),
            })),
          },
      ),
  })
}

export const useReportPost = (id: string) =>
  useMutation({ mutationFn: (reason: string) => call(communityApi.report, { id, body: { reason } }) })
