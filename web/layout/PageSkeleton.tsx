import { Skeleton } from '../ui/Skeleton'

/** Shown while the code of a page loads. */
export const PageSkeleton = () => (
  <main id="content" tabIndex={-1} className="page-grid pt-10 pb-24 md:pt-16">
    <Skeleton className="col-span-full h-[44rem]" label="Loading the page" />
  </main>
)
