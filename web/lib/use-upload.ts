/** Uploads one image at a time: a newer upload replaces the older one. */
import { useEffect, useRef, useState } from 'react'
import { maxImageBytes, type UploadedImage } from '../../api/contract/index.ts'
import { errorText } from './error-text.ts'
import { uploadImage } from './upload.ts'

export type Uploading = ReturnType<typeof useUpload>

export function useUpload(onUploaded: (url: string) => void) {
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [image, setImage] = useState<UploadedImage | null>(null)
  const current = useRef<AbortController>(null)
  useEffect(() => () => current.current?.abort(), [])

  async function start(file: File): Promise<void> {
    current.current?.abort()
    const mine = new AbortController()
    current.current = mine
    setError(null)
    if (!file.type.startsWith('image/')) return setError('This is not an image. Choose a JPEG, PNG, GIF or WebP.')
    if (file.size > maxImageBytes) return setError(`This image is larger than ${maxImageBytes / 1024 / 1024} MB.`)
    setProgress(0)
    try {
      const uploaded = await uploadImage(file, setProgress, mine.signal)
      if (!uploaded) return
      setImage(uploaded)
      onUploaded(uploaded.url)
    } catch (failure) {
      setError(errorText(failure))
    }
    setProgress(null)
  }

  return {
    /** 0 to 1; null while nothing is on its way. */
    progress,
    error,
    start: (file: File) => void start(file),
    forgetError: () => setError(null),
    /** The facts of the image at an address; null unless it was uploaded here. */
    factsOf: (url: string): UploadedImage | null => (image?.url === url.trim() ? image : null),
  }
}
