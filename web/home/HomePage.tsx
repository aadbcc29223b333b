import { useRefetchPersonalized } from '../auth/auth.queries'
import { CommunitySection } from '../community/CommunitySection'
import { ConcertsSection } from '../concerts/ConcertsSection'
import { HubSection } from '../hub/HubSection'
import { Footer } from '../layout/Footer'
import { NewsletterSection } from '../newsletter/NewsletterSection'
import { MerchSection } from '../products/MerchSection'
import { TiersSection } from '../subscriptions/TiersSection'
import { MusicSection } from '../tracks/MusicSection'
import { Hero } from './Hero'
import { useScrollToHash } from './useScrollToHash'

export function HomePage() {
  useScrollToHash()
  useRefetchPersonalized()
  return (
    <>
      <main id="content" tabIndex={-1} className="trailer">
        <Hero />
        <MusicSection />
        <MerchSection />
        <ConcertsSection />
        <TiersSection />
        <HubSection />
        <CommunitySection />
        <NewsletterSection />
      </main>
      <Footer />
    </>
  )
}
