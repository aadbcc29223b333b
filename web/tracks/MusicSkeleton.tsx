import { Skeleton } from '../ui/Skeleton'

/** The size of the player, the panel and the rack while the tracks are fetched. */
export function MusicSkeleton() {
  return (
    <>
      <div className="record col-span-full lg:col-span-7">
        <Skeleton className="record-sleeve" label="The tracks are being fetched." />
      </div>
      <div className="col-span-full max-lg:mt-8 lg:col-span-5 lg:self-center">
        <Skeleton className="h-96" />
      </div>
      <StreamPanelSkeleton />
      <div className="track-rack col-span-full mt-10">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <div key={key}>
            <Skeleton className="aspect-square" />
            <div className="h-25" />
          </div>
        ))}
      </div>
    </>
  )
}

/** The size of the panel while the artist's addresses are fetched. */
export function StreamPanelSkeleton() {
  return <Skeleton className="col-span-full mt-8 h-49 md:h-33 lg:mt-12 lg:h-23" />
}
