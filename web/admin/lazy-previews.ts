import type { ComponentType } from 'react'
import type { ChallengeDraft } from '../../worker/contract/admin-challenge'
import type {
  ConcertDraft,
  ProductDraft,
  SiteDraft,
  SocialPostDraft,
  TierDraft,
  TrackDraft,
} from '../../worker/contract/admin-content'
import type { MissionDraft } from '../../worker/contract/admin-missions'
import type { OfficialPollDraft } from '../../worker/contract/admin-polls'
import type { LegalTextDraft } from '../../worker/contract/appearance'
import type { ExclusivePostDraft } from '../../worker/contract/drafts'
import { EmptyFallback, lazyOptional } from '../ui/lazy'

// Loads the public components and their styles with the first preview that is rendered.
const loadPreviews = () => import('./form-previews')
type Previews = Awaited<ReturnType<typeof loadPreviews>>
type Props<Draft> = { draft: Partial<Draft>; id: string }

const lazyPreview = <Draft>(select: (previews: Previews) => ComponentType<Props<Draft>>) =>
  lazyOptional<Props<Draft>>(() => loadPreviews().then(select), EmptyFallback)

export const ShowPreview = lazyPreview<ConcertDraft>((previews) => previews.ShowPreview)
export const ProductPreview = lazyPreview<ProductDraft>((previews) => previews.ProductPreview)
export const TrackPreview = lazyPreview<TrackDraft>((previews) => previews.TrackPreview)
export const PollPreview = lazyPreview<OfficialPollDraft>((previews) => previews.PollPreview)
export const ExclusivePostPreview = lazyPreview<ExclusivePostDraft>((previews) => previews.ExclusivePostPreview)
export const TierPreview = lazyPreview<TierDraft>((previews) => previews.TierPreview)
export const MissionPreview = lazyPreview<MissionDraft>((previews) => previews.MissionPreview)
export const SocialPostPreview = lazyPreview<SocialPostDraft>((previews) => previews.SocialPostPreview)
export const ChallengePreview = lazyPreview<ChallengeDraft>((previews) => previews.ChallengePreview)
export const SitePreview = lazyPreview<SiteDraft>((previews) => previews.SitePreview)
// Separate, because it includes the Markdown parser.
export const LegalTextPreview = lazyOptional<Props<LegalTextDraft>>(
  () => import('../site/LegalTextPreview').then((preview) => preview.LegalTextPreview),
  EmptyFallback,
)
