/** Uploads one image at a time, and has it converted where a network takes no other type than JPEG. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Platform, UploadedImage } from '../../api/contract/index.ts'
import { maxImageBytes } from '../../api/contract/limits.ts'
import { call } from './call.ts'
import { errorText } from './error-text.ts'
import { wantsJpeg } from './post-problems.ts'
import { uploadImage } from './upload.ts'
import { words } from './words.ts'

export type Uploading = ReturnType<typeof useUpload>

/**
 * @param onUploaded hears the image's address, and the address whose place it takes after a conversion
 * @param platforms the networks that are to take the image
 */
export function useUpload(onUploaded: (url: string, insteadOf: string | null) => void, platforms: readonly Platform[]) {
  const [progress, setProgress] = useState<number | null>(null)
  const [isConverting, setConverting] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [image, setImage] = useState<UploadedImage | null>(null)
  /** The network that the image was converted for. */
  const [convertedFor, setConvertedFor] = useState<Platform | null>(null)
  const current = useRef<AbortController>(null)
  const tried = useRef<string | null>(null)
  useEffect(() => () => current.current?.abort(), [])

  async function start(file: File): Promise<void> {
    current.current?.abort()
    const mine = new AbortController()
    current.current = mine
    setError(null)
    setConvertedFor(null)
    setConverting(false)
    if (!file.type.startsWith('image/')) return setError(words.unsupportedImage)
    if (file.size > maxImageBytes) return setError(words.imageTooLarge(maxImageBytes / 1024 / 1024))
    setProgress(0)
    try {
      const uploaded = await uploadImage(file, setProgress, mine.signal)
      if (!uploaded) return
      setImage(uploaded)
      onUploaded(uploaded.url, null)
    } catch (failure) {
      setError(errorText(failure))
    }
    setProgress(null)
  }

  const convert = useEffectEvent(async (original: UploadedImage, platform: Platform) => {
    const mine = current.current
    const isOver = () => mine?.signal.aborted === true
    setConverting(true)
    try {
      const jpeg = await call('POST /api/media/{hash}/jpeg', { params: { hash: original.hash } })
      if (isOver()) return
      setImage(jpeg)
      setConvertedFor(platform)
      onUploaded(jpeg.url, original.url)
    } catch (failure) {
      if (!isOver()) setError(errorText(failure))
    }
    if (!isOver()) setConverting(false)
  })
  const wanting = image ? platforms.find((platform) => wantsJpeg(platform, image)) : undefined
  useEffect(() => {
    // Once for each image: after a failure the person chooses another one.
    if (!image || !wanting || tried.current === image.hash) return
    tried.current = image.hash
    void convert(image, wanting)
  }, [image, wanting])

  return {
    /** 0 to 1; null while nothing is on its way. */
    progress,
    isConverting,
    convertedFor,
    error,
    start: (file: File) => void start(file),
    forgetError: () => setError(null),
    /** The facts of the image at an address; null unless it was uploaded here. */
    factsOf: (url: string): UploadedImage | null => (image?.url === url.trim() ? image : null),
  }
}
