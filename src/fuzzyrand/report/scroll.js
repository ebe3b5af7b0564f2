// Boxes that scroll sideways: as long as there is more to the right, its edge fades out.
for (const box of document.querySelectorAll(".box")) {
  const look = () => {
    const left = box.scrollWidth - box.clientWidth - box.scrollLeft;
    box.classList.toggle("more", left > 1);
  };
  box.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(box);
}
