// Keep the frames of changed cells on a press, and copy commands; the page is complete without it.
for (const button of document.querySelectorAll("button.reveal")) {
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  });
}
const said = document.getElementById("said");
for (const button of document.querySelectorAll("button.copy")) {
  const command = button.parentElement.querySelector("code");
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(command); // so that the keys for copying work where scripts may not copy
    try {
      await navigator.clipboard.writeText(command.textContent);
      said.textContent = button.textContent = "Copied";
    } catch {
      said.textContent = button.textContent = "Selected";
    }
  });
}
document.body.dataset.ready = "";
