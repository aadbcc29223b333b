import type { ChallengeDraft } from '../../worker/contract/admin-challenge'
import type {
  ConcertDraft,
  MissionDraft,
  ProductDraft,
  SocialPostDraft,
  TierDraft,
  TrackDraft,
} from '../../worker/contract/admin-content'
import type { OfficialPollDraft } from '../../worker/contract/admin-polls'
import type { ExclusivePostDraft } from '../../worker/contract/drafts'
import { EmptyFallback, lazyOptional } from '../ui/lazy'

// The public components and their styles load with the first open form that shows one.
const load = () => import('./form-previews')
type Props<Draft> = { draft: Partial<Draft>; id: string }

export const ShowPreview = lazyOptional<Props<ConcertDraft>>(() => load().then((m) => m.ShowPreview), EmptyFallback)
export const ProductPreview = lazyOptional<Props<ProductDraft>>(
  () => load().then((m) => m.ProductPreview),
  EmptyFallback,
)
export const TrackPreview = lazyOptional<Props<TrackDraft>>(() => load().then((m) => m.TrackPreview), EmptyFallback)
export const PollPreview = lazyOptional<Props<OfficialPollDraft>>(
  () => load().then((m) => m.PollPreview),
  EmptyFallback,
)
export const TierPostPreview = lazyOptional<Props<ExclusivePostDraft>>(
  () => load().then((m) => m.TierPostPreview),
  EmptyFallback,
)
export const TierPreview = lazyOptional<Props<TierDraft>>(() => load().then((m) => m.TierPreview), EmptyFallback)
export const MissionPreview = lazyOptional<Props<MissionDraft>>(
  () => load().then((m) => m.MissionPreview),
  EmptyFallback,
)
export const SocialPostPreview = lazyOptional<Props<SocialPostDraft>>(
  () => load().then((m) => m.SocialPostPreview),
  EmptyFallback,
)
export const ChallengePreview = lazyOptional<Props<ChallengeDraft>>(
  () => load().then((m) => m.ChallengePreview),
  EmptyFallback,
)
