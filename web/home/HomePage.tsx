import { ConcertsSection } from '../concerts/ConcertsSection'

/** The home page: the sections of the specification (section 2), in its order. */
export function HomePage() {
  return (
    <main id="content">
      <ConcertsSection />
    </main>
  )
}
