import { clsx } from 'clsx'
import { useId } from 'react'
import type { AppearanceDraft } from '../../worker/contract/appearance'
import { HOME_SECTIONS, type HomeSectionId, NAV_SECTIONS } from '../../worker/contract/home-sections'
import { DragHandle, MoveButtons, useDragOrder } from '../admin/drag-order'
import { moveItem } from '../lib/move-item'
import { CheckField, TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'

type Props = {
  sections: AppearanceDraft['sections']
  labels: AppearanceDraft['labels']
  onSections: (sections: AppearanceDraft['sections']) => void
  onLabels: (labels: AppearanceDraft['labels']) => void
  error?: string
}

export const sectionTitle = (id: HomeSectionId): string =>
  HOME_SECTIONS.find((section) => section.id === id)?.title ?? id

/** The sections of the home page: order, visibility and their labels in the navigation. */
export function SectionsField({ sections, labels, onSections, onLabels, error }: Props) {
  const id = useId()
  const { list, move, handleProps, rowClass, announcement } = useDragOrder(
    sections.map((section) => sectionTitle(section.id)),
    (from, to) => onSections(moveItem(sections, from, to)),
  )
  return (
    <fieldset className="min-w-0">
      <legend className="font-label text-muted">Sections of the home page</legend>
      <p id={`${id}-hint`} className="mt-1 max-w-prose text-sm text-muted">
        Drag the handle or press the up and down arrows on it to change the order. A hidden section keeps its page.
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol ref={list} className="mt-4 border-y border-rule">
        {sections.map((section, index) => {
          const title = sectionTitle(section.id)
          const nav = NAV_SECTIONS.find((other) => other.id === section.id)
          return (
            <li
              key={section.id}
              className={clsx(
                'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-y-2 bg-background py-1',
                rowClass(index),
              )}
            >
              <DragHandle name={title} hintId={`${id}-hint`} {...handleProps(index)} />
              <CheckField
                label={title}
                checked={section.isVisible}
                onChange={(event) =>
                  onSections(
                    sections.map((other) =>
                      other === section ? { ...section, isVisible: event.target.checked } : other,
                    ),
                  )
                }
              />
              <span className="flex">
                <MoveButtons name={title} index={index} count={sections.length} move={move} />
              </span>
              {nav && section.isVisible && (
                <TextField
                  label="Label in the navigation"
                  aria-label={`Label of ${title} in the navigation`}
                  className="col-start-2 pb-3"
                  placeholder={nav.label}
                  value={labels[nav.id]}
                  onChange={(event) => onLabels({ ...labels, [nav.id]: event.target.value })}
                />
              )}
            </li>
          )
        })}
      </ol>
      {error && <GroupError>{error}</GroupError>}
    </fieldset>
  )
}
