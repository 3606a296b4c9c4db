/** Uploads one image at a time, and has it converted where a network takes no other type than JPEG. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Platform, UploadedImage } from '../../api/contract/index.ts'
import { maxImageBytes } from '../../api/contract/limits.ts'
import { call } from './call.ts'
import { errorText } from './error-text.ts'
import { takesJpegOnly, wantsJpeg } from './post-problems.ts'
import { uploadImage } from './upload.ts'
import { useCurrentText } from './use-current-text.ts'
import { words } from './words.ts'

export type Uploading = ReturnType<typeof useUpload>

const path = '/media/'
const hashLength = 64

/** The hash in an address of our own; null for any other. */
function hashIn(url: string): string | null {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' }
  const hash = pathname.slice(path.length)
  return pathname.startsWith(path) && hash.length === hashLength ? hash : null
}

/**
 * @param imageUrl the address that the post has now, which an earlier visit or another post may have left
 * @param onUploaded hears the image's address, and the address whose place it takes after a conversion
 * @param platforms the networks that are to take the image
 */
export function useUpload(
  imageUrl: string,
  onUploaded: (url: string, insteadOf: string | null) => void,
  platforms: readonly Platform[],
) {
  const [progress, setProgress] = useState<number | null>(null)
  const [isConverting, setConverting] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [image, setImage] = useState<UploadedImage | null>(null)
  /** The network that the image was converted for. */
  const [convertedFor, setConvertedFor] = useState<Platform | null>(null)
  const current = useRef<AbortController>(null)
  const tried = useRef<string | null>(null)
  useEffect(
    () => () => {
      current.current?.abort()
      tried.current = null
    },
    [],
  )

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
      tried.current = null
      setImage(uploaded)
      onUploaded(uploaded.url, null)
    } catch (failure) {
      setError(errorText(failure))
    }
    setProgress(null)
  }

  const url = imageUrl.trim()
  const hash = hashIn(url)
  const known = image?.url === url ? image : null
  const wanting = platforms.find((platform) => (known ? wantsJpeg(platform, known) : hash && takesJpegOnly(platform)))
  const isUploading = progress !== null

  const convert = useEffectEvent(async (original: string, platform: Platform) => {
    current.current?.abort()
    const mine = new AbortController()
    current.current = mine
    setConverting(true)
    setError(null)
    setConvertedFor(null)
    try {
      const jpeg = await call('POST /api/media/{hash}/jpeg', { params: { hash: original } })
      if (mine.signal.aborted) return
      setImage(jpeg)
      if (jpeg.hash !== original) setConvertedFor(platform)
      if (jpeg.url !== url) onUploaded(jpeg.url, url)
    } catch (failure) {
      if (!mine.signal.aborted) setError(errorText(failure))
    }
    if (!mine.signal.aborted) setConverting(false)
  })
  useEffect(() => {
    const original = known?.hash ?? hash
    // After a failure a person tries again: with an upload, another network or another address.
    if (!wanting) tried.current = null
    if (isUploading || !original || !wanting || tried.current === original) return
    tried.current = original
    void convert(original, wanting)
  }, [isUploading, known, hash, wanting])

  return {
    /** 0 to 1; null while nothing is on its way. */
    progress,
    isConverting,
    convertedFor,
    error: useCurrentText(error),
    start: (file: File) => void start(file),
    forgetError: () => setError(null),
    /** The facts of the image at an address; null unless it was uploaded here. */
    factsOf: (url: string): UploadedImage | null => (image?.url === url.trim() ? image : null),
  }
}
