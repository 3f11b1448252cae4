import { MemberPage, type MemberPageStore, type RenderedTemplate } from './member-page.ts'

interface RenderOptions {
  /** As for `MemberPage`. */
  hasSwitches?: boolean
  /** Whether the page may not show counts from before a like or a comment. */
  isExact?: boolean
}

/** Renders that concurrent requests share (request coalescing), and pages from earlier ones. @param position of the live streams */
export function createRenders(pages: MemberPageStore, position: () => number) {
  const inFlight = new Map<string, { page: Promise<MemberPage>; startedAt: number; isFresh: () => boolean }>()

  function startRender(
    key: string,
    render: () => Promise<RenderedTemplate>,
    { hasSwitches = true, isExact = false }: RenderOptions = {},
  ): Promise<MemberPage> {
    const started = pages.beginRender()
    const startedAt = performance.now()
    const startPosition = position()
    pages.counts.misses++
    const page = render()
      .then((rendered) => {
        const isReplaced = pages.isReplaced(started, rendered)
        const entry = new MemberPage({
          key,
          page: isReplaced ? { ...rendered, tags: null } : rendered,
          renderedAt: startedAt,
          position,
          hasSwitches,
          isExact,
        })
        if (isReplaced) pages.counts.outdated++
        if (isReplaced || pages.isMiscounted(started, rendered)) entry.markStale(startPosition)
        return pages.put(entry)
      })
      .finally(() => {
        pages.endRender(started)
        if (inFlight.get(key)?.page === page) inFlight.delete(key)
      })
    const countChanges = () =>
      started.isAllChanged ? 1 : started.changedTags.size + (isExact ? started.countedTags.size : 0)
    inFlight.set(key, { page, startedAt, isFresh: () => countChanges() === 0 })
    return page
  }

  /** The page as it is stored, or as it is being rendered, if it is recent enough for a member who last wrote at `lastWriteAt`. */
  function findPage(key: string, lastWriteAt: number): MemberPage | Promise<MemberPage> | undefined {
    const stored = pages.get(key)
    if (stored?.isUsableAfter(lastWriteAt)) return stored
    const current = inFlight.get(key)
    return current?.isFresh() && current.startedAt > lastWriteAt ? current.page : undefined
  }

  return { findPage, startRender }
}
