import { useOwnParts } from '../auth/useOwnParts'
import { CommunitySection } from '../community/CommunitySection'
import { ConcertsSection } from '../concerts/ConcertsSection'
import { HubSection } from '../hub/HubSection'
import { Footer } from '../layout/Footer'
import { useSectionOnLoad } from '../layout/useSectionOnLoad'
import { MerchSection } from '../merch/MerchSection'
import { MusicSection } from '../music/MusicSection'
import { NewsletterSection } from '../newsletter/NewsletterSection'
import { ZoneSection } from '../zone/ZoneSection'
import { Hero } from './Hero'

/** The home page: the sections of the specification (section 2), in its order. */
export function HomePage() {
  useSectionOnLoad()
  useOwnParts()
  return (
    <>
      <main id="content" tabIndex={-1}>
        <Hero />
        <MusicSection />
        <MerchSection />
        <ConcertsSection />
        <ZoneSection />
        <HubSection />
        <CommunitySection />
        <NewsletterSection />
      </main>
      <Footer />
    </>
  )
}
