import { MemberPage, type MemberPageStore, type RenderedTemplate } from './member-page.ts'

/** Renders that concurrent requests share (request coalescing), and pages from earlier ones. @param position of the live streams */
export function createRenders(pages: MemberPageStore, position: () => number) {
  const inFlight = new Map<string, { page: Promise<MemberPage>; startedAt: number; isFresh: () => boolean }>()

  function startRender(key: string, render: () => Promise<RenderedTemplate>): Promise<MemberPage> {
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
        })
        if (isReplaced) pages.counts.outdated++
        if (isReplaced || pages.isMiscounted(started, rendered)) entry.markStale(startPosition)
        return pages.put(entry)
      })
      .finally(() => {
        pages.endRender(started)
        if (inFlight.get(key)?.page === page) inFlight.delete(key)
      })
    inFlight.set(key, { page, startedAt, isFresh: () => !started.isAllChanged && started.changedTags.size === 0 })
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
