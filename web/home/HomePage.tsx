import { ConcertsSection } from '../concerts/ConcertsSection'
import { Hero } from './Hero'

/** The home page: the sections of the specification (section 2), in its order. */
export function HomePage() {
  return (
    <main id="content" tabIndex={-1}>
      <Hero />
      <ConcertsSection />
    </main>
  )
}
