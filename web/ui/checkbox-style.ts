/** The look of a checkbox before its label. */
export const checkboxStyle =
  "group flex cursor-default items-center gap-2.5 rounded-control outline-offset-4 before:grid before:size-4 before:shrink-0 before:place-items-center before:rounded-[0.25rem] before:border before:border-control before:bg-surface before:text-xs before:leading-none before:text-on-accent selected:before:border-accent selected:before:bg-accent selected:before:content-['✓']"
