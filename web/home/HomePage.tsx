import type { ComponentType } from 'react'
import type { HomeSectionId } from '../../worker/contract/home-sections'
import { useRefetchPersonalized } from '../auth/auth.queries'
import { CommunitySection } from '../community/CommunitySection'
import { ConcertsSection } from '../concerts/ConcertsSection'
import { HubSection } from '../hub/HubSection'
import { Footer } from '../layout/Footer'
import { NewsletterSection } from '../newsletter/NewsletterSection'
import { MerchSection } from '../products/MerchSection'
import { useAppearance } from '../site/site.queries'
import { TiersSection } from '../subscriptions/TiersSection'
import { MusicSection } from '../tracks/MusicSection'
import { SectionNumberProvider } from '../ui/Section'
import { Hero } from './Hero'
import { useScrollToHash } from './useScrollToHash'

const SECTION_COMPONENTS: Readonly<Record<HomeSectionId, ComponentType>> = {
  music: MusicSection,
  merch: MerchSection,
  concerts: ConcertsSection,
  exclusive: TiersSection,
  'smart-features': HubSection,
  community: CommunitySection,
  newsletter: NewsletterSection,
}

/** A separate component, so that a fetch or the session does not re-render the whole page. */
function PageEffects() {
  useScrollToHash()
  useRefetchPersonalized()
  return null
}

/** /: the team chooses the order of the sections and which are visible. */
export function HomePage() {
  const { sections } = useAppearance()
  return (
    <>
      <main id="content" tabIndex={-1} className="home-sections">
        <Hero />
        {sections.map((id, index) => {
          const HomeSection = SECTION_COMPONENTS[id]
          return (
            <SectionNumberProvider key={id} value={index + 1}>
              <HomeSection />
            </SectionNumberProvider>
          )
        })}
      </main>
      <Footer />
      {/* Last, because its effects need the sections to be mounted. */}
      <PageEffects />
    </>
  )
}
