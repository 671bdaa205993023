"""The Streamlit app. Nothing imports it."""
