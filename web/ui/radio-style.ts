/** The look of a radio button before its label. */
export const radioStyle =
  'group flex cursor-default items-center gap-2.5 rounded-control outline-offset-4 before:size-4 before:shrink-0 before:rounded-full before:border before:border-control before:bg-surface selected:before:border-[5px] selected:before:border-accent'
