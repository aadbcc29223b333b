import { type FormEvent, useState } from 'react'
import { sentence } from '../auth/sentence'
import { AreaField } from '../ui/AreaField'
import { Button } from '../ui/Button'
import { SelectField } from '../ui/SelectField'
import { TextField } from '../ui/TextField'
import { toast } from '../ui/toast'
import { usePublish } from './moderation.queries'
import { TIER_CHOICES } from './tier-choices'

/** A post for a tier and those above it. */
export function PublishForm() {
  const publish = usePublish()
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
        onError: (error) => setProblem(sentence(error)),
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="grid max-w-2xl gap-6">
      <TextField label="Title" name="title" maxLength={120} required />
      <SelectField label="For" name="tier" options={TIER_CHOICES} />
      <AreaField label="Post" name="text" rows={8} maxLength={10_000} required error={problem} />
      <Button type="submit" look="foil" aria-disabled={publish.isPending} className="justify-self-start">
        {publish.isPending ? 'Publishing' : 'Publish'}
      </Button>
    </form>
  )
}
