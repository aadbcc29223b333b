import { Link } from '@tanstack/react-router'
import { NewsletterForm } from '../newsletter/NewsletterForm'
import { buttonClass } from '../ui/Button'

/** The newsletter form, and the link to all products. */
export function MoreDrops() {
  return (
    <div className="col-span-full mt-8 border-t border-rule pt-6 lg:col-span-7 lg:mt-20">
      <DropPanel headingLevel="h3" />
      <Link to="/merch" className={buttonClass('text', 'mt-4 -ml-3')}>
        All merch
      </Link>
    </div>
  )
}

/** Announces the next drop, with the newsletter form. */
export const DropPanel = ({ headingLevel: Heading }: { headingLevel: 'h2' | 'h3' }) => (
  <>
    <Heading className="font-display text-xl max-sm:mb-4 lg:text-2xl">More Drops Coming Soon</Heading>
    <p className="drop-note mt-2 mb-5 text-muted">Subscribe to the newsletter to hear about the next one first.</p>
    <NewsletterForm />
  </>
)
