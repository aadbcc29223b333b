import { ImagePlus, Trash2 } from 'lucide-react'
import { communityApi, POST_LIMITS } from '../../worker/contract/community'
import type { UploadedImage } from '../../worker/contract/uploads'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { FilePicker, UploadProgress, useUpload } from '../uploads/FilePicker'
import { POST_IMAGE_CROP, uploadImage } from '../uploads/upload-image'
import { PostImageView } from './PostImageView'

const IMAGE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/heic'

type Props = {
  value: UploadedImage | null
  onChange: (picture: UploadedImage | null) => void
  alt: string
  onAlt: (alt: string) => void
  /** What is wrong with the words. */
  error?: string
  onBusy: (busy: boolean) => void
}

/** One picture for a post: chosen, sent in its sizes, and said in words what it shows. */
export function PostImageField({ value, onChange, alt, onAlt, error, onBusy }: Props) {
  const { share, problem, start, stop } = useUpload(
    (file: File, options: { onProgress: (share: number) => void; signal: AbortSignal }) =>
      uploadImage(file, { crop: POST_IMAGE_CROP, endpoints: communityApi, ...options }),
    { onSent: onChange, onBusy },
  )
  return (
    <fieldset>
      <legend className="sr-only">Picture</legend>
      {share !== null ? (
        <UploadProgress label="Picture" share={share} onStop={stop} />
      ) : value ? (
        <div className="grid gap-4 border-l-2 border-gold pl-4">
          <PostImageView image={{ ...value, alt }} maxHeight="16rem" className="justify-self-start bg-sleeve" />
          <TextField
            label="What it shows"
            name="alt"
            hint="For everybody who cannot see it."
            required
            maxLength={POST_LIMITS.alt}
            value={alt}
            onChange={(event) => onAlt(event.target.value)}
            error={error}
          />
          <div className="-ml-3">
            <Button variant="quiet" onClick={() => onChange(null)}>
              <Trash2 size={18} aria-hidden /> Remove the picture
            </Button>
          </div>
        </div>
      ) : (
        <FilePicker label="Add a picture" accept={IMAGE_TYPES} onPick={(file) => void start(file)}>
          <ImagePlus size={18} aria-hidden /> Add a picture
        </FilePicker>
      )}
      {problem && (
        <p role="alert" className="mt-2 text-sm text-sunset">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
