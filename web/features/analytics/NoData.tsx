import { useMutation } from '@tanstack/react-query'
import { ChartNoAxesColumn } from 'lucide-react'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterFiguresChange } from '../../lib/refetch.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

export function NoData() {
  const seed = useSampleData('POST /api/seed-analytics', words.empty.created)
  return (
    <EmptyState
      icon={<ChartNoAxesColumn />}
      title={words.empty.title}
      text={words.empty.text}
      action={
        <Button
          look="primary"
          onPress={() => seed.mutateAsync()}
          pending={seed.isPending}
          data-testid="button-generate-sample"
        >
          {seed.isPending ? words.empty.generating : words.empty.generate}
        </Button>
      }
    />
  )
}

export function NothingInPeriod() {
  return <EmptyState icon={<ChartNoAxesColumn />} title={words.period.nothing} text={words.period.nothingText} />
}

export function RemoveSampleData() {
  const remove = useSampleData('DELETE /api/sample-data', words.empty.removed)
  return (
    <Button onPress={() => remove.mutateAsync()} pending={remove.isPending} data-testid="button-remove-sample">
      {words.empty.remove}
    </Button>
  )
}

function useSampleData(route: 'POST /api/seed-analytics' | 'DELETE /api/sample-data', title: string) {
  return useMutation({
    mutationFn: () => call(route),
    onSuccess: async ({ message }) => {
      await afterFiguresChange()
      toast({ title, description: message })
    },
    onError: (error) => toast({ title: words.empty.error, description: errorText(error), variant: 'destructive' }),
  })
}
