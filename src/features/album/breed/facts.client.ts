// The carousel's library is fetched when its notes come near the screen, not before.
const facts = document.querySelector<HTMLElement>('[data-facts]')
if (facts?.querySelector('.ctl')) {
  const observer = new IntersectionObserver(
    async ([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      const { startFacts } = await import('./facts-swiper.client.ts')
      startFacts(facts)
    },
    { rootMargin: '120px' },
  )
  observer.observe(facts)
}
