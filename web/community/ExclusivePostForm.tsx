import { type FormEvent, useState } from 'react'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { SelectField, TextAreaField, TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { usePublishExclusivePost } from './moderation.queries'
import { TIER_OPTIONS } from './tier-options'

/** A post for a tier and those above it. */
export function ExclusivePostForm() {
  const publish = usePublishExclusivePost()
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (publish.isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    const tier = data.get('tier') === 'gold' ? 'gold' : 'silver'
    setProblem(undefined)
    publish.mutate(
      { title: String(data.get('title')), text: String(data.get('text')), tier },
      {
        onSuccess: () => {
          form.reset()
          toast({ title: 'Published' })
        },
        onError: (error) => setProblem(errorMessage(error)),
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="grid max-w-2xl gap-6">
      <TextField label="Title" name="title" maxLength={120} required />
      <SelectField label="For" name="tier" options={TIER_OPTIONS} />
      <TextAreaField label="Post" name="text" rows={8} maxLength={10_000} required error={problem} />
      <Button type="submit" variant="foil" aria-disabled={publish.isPending} className="justify-self-start">
        {publish.isPending ? 'Publishing' : 'Publish'}
      </Button>
    </form>
  )
}
