/** The logo and the colour that the agency's clients see. */
import { useMutation } from '@tanstack/react-query'
import { ImageUp, X } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import type { Agency } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterAgencyChange } from '../../lib/refetch.ts'
import { useUpload } from '../../lib/use-upload.ts'
import { AgencyHead } from '../../ui/AgencyHead.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ColorField } from '../../ui/ColorField.tsx'
import { errorStyle, hintStyle, labelStyle } from '../../ui/field.ts'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const isColor = (text: string) => text === '' || /^#[0-9a-fA-F]{6}$/.test(text)

interface Props {
  readonly agency: Agency
  readonly onClose: () => void
}

export default function Brand({ agency, onClose }: Props) {
  const [logoUrl, setLogoUrl] = useState(agency.brand.logoUrl)
  const [color, setColor] = useState(agency.brand.color ?? '')
  const [showsErrors, setShowsErrors] = useState(false)
  const upload = useUpload(logoUrl ?? '', setLogoUrl, [])
  const typed = color.trim()
  const save = useMutation({
    mutationFn: () => call('PATCH /api/agency/brand', { body: { logoUrl, color: typed === '' ? null : typed } }),
    onSuccess: async () => {
      await afterAgencyChange()
      toast({ title: words.brand.saved, description: words.brand.savedText })
      onClose()
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsErrors(true)
    if (isColor(typed) && !save.isPending && upload.progress === null) save.mutate()
  }
  return (
    <Dialog open onClose={onClose} title={words.brand.heading} description={words.brand.text}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <span className={labelStyle}>{words.brand.logo}</span>
          <div className="flex flex-wrap gap-2">
            <FileTrigger
              acceptedFileTypes={types}
              onSelect={(files) => {
                const [file] = files ?? []
                if (file) upload.start(file)
              }}
            >
              <Button pending={upload.progress !== null} data-testid="button-upload-logo">
                {upload.progress === null && <ImageUp aria-hidden />}
                {upload.progress === null ? words.brand.upload : `${Math.floor(upload.progress * 100)}%`}
              </Button>
            </FileTrigger>
            {logoUrl !== null && (
              <Button look="quiet" onPress={() => setLogoUrl(null)} data-testid="button-remove-logo">
                <X aria-hidden />
                {words.brand.removeLogo}
              </Button>
            )}
          </div>
          <p aria-live="polite" className={upload.error === null ? hintStyle : errorStyle}>
            {upload.error ?? words.brand.logoHint}
          </p>
        </div>
        <ColorField
          label={words.brand.color}
          name="color"
          value={color}
          onChange={setColor}
          error={showsErrors && !isColor(typed) ? words.brand.colorWrong : undefined}
        />
        <figure className="overflow-hidden rounded-card border border-line">
          <AgencyHead
            agency={{ name: agency.name, logoUrl, color: typed !== '' && isColor(typed) ? typed : null }}
            tag="div"
          />
          <figcaption className="border-t border-line px-4 py-2 text-sm text-quiet">{words.brand.preview}</figcaption>
        </figure>
        <ServerError message={save.isError ? errorText(save.error) : null} />
        <Button
          look="primary"
          type="submit"
          pending={save.isPending}
          className="self-start"
          data-testid="button-save-brand"
        >
          {words.brand.save}
        </Button>
      </form>
    </Dialog>
  )
}
