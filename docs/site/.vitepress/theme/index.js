import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { nextTick, onMounted, watch } from 'vue'
import './style.css'

const key = 'way-to-start'

/** Chooses the remembered way to start in all tabs of the page. */
function choose() {
  const way = localStorage.getItem(key)
  for (const label of document.querySelectorAll('.vp-code-group .tabs label'))
    if (label.textContent === way && !label.control?.checked) label.click()
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute()
    onMounted(() => {
      choose()
      document.addEventListener('change', ({ target, isTrusted }) => {
        const label = target.closest?.('.vp-code-group .tabs') && target.labels?.[0]
        if (!label || !isTrusted) return
        localStorage.setItem(key, label.textContent)
        choose()
      })
    })
    watch(
      () => route.path,
      () => nextTick(choose),
    )
  },
}
