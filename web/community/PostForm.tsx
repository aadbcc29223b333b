import { Link } from '@tanstack/react-router'
import { ImagePlus, Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { communityApi } from '../../worker/contract/community'
import { POST_LIMITS } from '../../worker/contract/draft-rules'
import { MAX_REWARDED_POSTS_PER_DAY, POINTS } from '../../worker/contract/points'
import type { UploadedImage } from '../../worker/contract/uploads'
import { errorMessage } from '../api/call'
import { useSession } from '../auth/auth.queries'
import { awardText } from '../points/award-text'
import { Button, buttonClass } from '../ui/Button'
import { TextAreaField, TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'
import { toast } from '../ui/toast'
import { FilePicker, UploadProgress } from '../uploads/FilePicker'
import { SUPPORTER_POST_IMAGE } from '../uploads/image-crop'
import { IMAGE_TYPES, uploadImage } from '../uploads/upload-image'
import { useUpload } from '../uploads/useUpload'
import { useCreatePost } from './community.queries'
import { PostImageView } from './PostBody'

const MAX_TEXT_LENGTH = POST_LIMITS.text
const POINTS_TEXT = `+${POINTS.community_post} points, ${MAX_REWARDED_POSTS_PER_DAY} times a day.`

/** Writes a post with an optional image. Keeps the input after an error. */
export function PostForm() {
  const { me, isPending } = useSession()
  const create = useCreatePost()
  const [text, setText] = useState('')
  const [image, setImage] = useState<UploadedImage | null>(null)
  const [alt, setAlt] = useState('')
  const [isUploading, setIsUploading] = useState(false)
  const [error, setError] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const [isAltMissing, setIsAltMissing] = useState(false)
  if (!me)
    return (
      // Invisible while the session loads, to keep the layout stable.
      <div className={isPending ? 'invisible' : undefined}>
        <SignUpInvitation />
      </div>
    )
  const selectImage = (uploaded: UploadedImage | null) => {
    setImage(uploaded)
    setAlt('')
    setIsAltMissing(false)
  }
  // Screen readers announce the field's error on focus.
  const focusOn = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  const showError = (message: string) => {
    setError(message)
    focusOn('text')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    if (text.trim() === '') return showError('Please write something first.')
    if (isUploading) return showError('One moment: your picture is still uploading.')
    setError(undefined)
    if (image && alt.trim() === '') {
      setIsAltMissing(true)
      return focusOn('alt')
    }
    create.mutate(image ? { text, picture: { id: image.id, alt } } : { text }, {
      onSuccess: (award) => {
        setText('')
        selectImage(null)
        toast({ title: 'Posted!', text: awardText(award) })
      },
      onError: (error) => showError(errorMessage(error)),
    })
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <TextAreaField
        label="Your post"
        name="text"
        maxLength={MAX_TEXT_LENGTH}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={error}
        hint={`${POINTS_TEXT} ${MAX_TEXT_LENGTH - text.length} characters left.`}
      />
      <PostImageField
        value={image}
        onChange={selectImage}
        alt={alt}
        onAltChange={setAlt}
        onUploadingChange={setIsUploading}
        altError={isAltMissing && alt.trim() === '' ? 'Please say what the picture shows.' : undefined}
      />
      <Button
        type="submit"
        variant="primary"
        aria-disabled={create.isPending || isUploading}
        className="justify-self-start"
      >
        {create.isPending ? 'Posting' : 'Post'}
      </Button>
    </form>
  )
}

/** Invitation to sign up, shown to visitors in place of the form. */
function SignUpInvitation() {
  return (
    <div>
      <p className="font-display text-xl text-balance">Say it to the whole crowd</p>
      <p className="mt-3 text-muted">
        Share a picture from the show, or the line you can’t stop singing. {POINTS_TEXT}
      </p>
      <p className="mt-6 flex flex-wrap gap-3">
        <Link to="/login" search={{ return: '/community' }} className={buttonClass('primary')}>
          Log in to post
        </Link>
        <Link to="/signup" search={{ return: '/community' }} className={buttonClass()}>
          Sign Up
        </Link>
      </p>
    </div>
  )
}

type ImageFieldProps = {
  value: UploadedImage | null
  onChange: (image: UploadedImage | null) => void
  alt: string
  onAltChange: (alt: string) => void
  altError?: string
  onUploadingChange: (isUploading: boolean) => void
}

/** Field for an image with its alt text. The image is uploaded when it is chosen. */
function PostImageField({ value, onChange, alt, onAltChange, altError, onUploadingChange }: ImageFieldProps) {
  const { progress, uploadError, start, stop } = useUpload(
    (file: File, options: { onProgress: (progress: number) => void; signal: AbortSignal }) =>
      uploadImage(file, { crop: SUPPORTER_POST_IMAGE, endpoints: communityApi, ...options }),
    { onUploaded: onChange, onUploadingChange },
  )
  const content = () => {
    if (progress !== null) return <UploadProgress label="Picture" progress={progress} onStop={stop} />
    if (value)
      return (
        <div className="grid gap-4 border-l-2 border-gold pl-4">
          <PostImageView image={{ ...value, alt }} maxHeight="16rem" className="justify-self-start bg-sleeve" />
          <TextField
            label="Description"
            name="alt"
            hint="For people who can’t see the picture."
            required
            maxLength={POST_LIMITS.alt}
            value={alt}
            onChange={(event) => onAltChange(event.target.value)}
            error={altError}
          />
          <div className="-ml-3">
            <Button variant="text" onClick={() => onChange(null)}>
              <Trash2 size={18} aria-hidden /> Remove the picture
            </Button>
          </div>
        </div>
      )
    return (
      <FilePicker label="Add a picture" accept={IMAGE_TYPES} onPick={(file) => void start(file)}>
        <ImagePlus size={18} aria-hidden /> Add a picture
      </FilePicker>
    )
  }
  return (
    <fieldset>
      <legend className="sr-only">Picture</legend>
      {content()}
      {uploadError && <GroupError>{uploadError}</GroupError>}
    </fieldset>
  )
}
