/** Takes an image that is dropped anywhere on the page or pasted, while a dialog with an image field is open. */
import { useEffect, useEffectEvent, useState } from 'react'

/** @returns whether a file is being dragged over the page */
export function useFileDrop(onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onFile)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      // Without this, the browser leaves the page for the file.
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer?.files ?? []
      if (file) take(file)
    }
    const paste = ({ clipboardData }: ClipboardEvent) => {
      // Text that is copied from a document comes with a picture of itself.
      if (clipboardData?.types.includes('text/plain')) return
      const [file] = clipboardData?.files ?? []
      if (file) take(file)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
      document.removeEventListener('paste', paste)
    }
  }, [])
  return isOver
}

const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false
